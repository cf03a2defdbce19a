"""`tengen check`: does a program speak the protocol as its managers need it?"""
