"""The brain: a Cython core behind one Python face (`engine.api.Engine`)."""
