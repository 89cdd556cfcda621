"""Folders of arrays on disk: memory-mapped for reading, checksummed, published atomically.

`array_files` reads and writes single arrays, `raw_folder` folders of arrays without headers
(snapshots and term indexes), `artifacts` folders of .npy files with parameters and facts.
"""
