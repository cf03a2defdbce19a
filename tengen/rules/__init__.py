"""The rules, written slowly and obviously: the referee, points, pictures, proofs."""
