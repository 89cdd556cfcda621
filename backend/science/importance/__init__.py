"""How much a link mattered: the components of Dyport's importance (section 5.7), and their mean.

The graph is simple and undirected, and each link has the year in which it was first seen. Rows are
in the order of years, so the graph until a year is the beginning of each row (`dated_links`).
"""
