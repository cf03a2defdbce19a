"""The engine: a Cython core with one public class, `engine.api.Engine`."""
