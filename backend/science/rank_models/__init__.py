"""Models of rankings by several raters: worths, consensus orders, and how stable they are."""
