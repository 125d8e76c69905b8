"""Means of scikit-learn over 20 seeds on the Glass data, as `statistical.rs` quotes them.

    python3 tests/peer.py ../../data/learn/glass.csv

For each seed s: RandomState(s) removes 5 % of the cells, train_test_split(random_state=s) deals
70 to 30, stratified; then KNNImputer(n_neighbors=1) and the classifier.
"""

import sys

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import KNNImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

rows = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
whole, classes = rows[:, 1:10], rows[:, 10].astype(int)
methods = {
    "EXTRA-TREES": lambda s: ExtraTreesClassifier(100, random_state=s),
    "BOOSTING": lambda s: GradientBoostingClassifier(random_state=s),
    "RANDOM-FOREST": lambda s: RandomForestClassifier(100, random_state=s),
}
scores = {}
for s in range(20):
    gaps = whole.copy()
    gaps[np.random.RandomState(s).random(whole.shape) < 0.05] = np.nan
    train, test = train_test_split(
        np.arange(len(classes)), test_size=0.3, stratify=classes, random_state=s
    )
    for name, method in methods.items():
        for tag, x in (("95", gaps), ("100", whole)):
            fitted = make_pipeline(KNNImputer(n_neighbors=1), method(s))
            fitted.fit(x[train], classes[train])
            key = f"{tag}|KNN-1|PASSTHROUGH|{name}|test"
            scores.setdefault(key, []).append(fitted.score(x[test], classes[test]))
for key, values in scores.items():
    print(key, round(np.mean(values), 5), round(np.std(values), 5))
