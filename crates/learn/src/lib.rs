//! A classification workbench: loading, imputing, transforming, classifying, measuring.
#![forbid(unsafe_code)]
