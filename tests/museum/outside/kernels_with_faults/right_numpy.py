from numpy_core import with_fault

attention = with_fault()
