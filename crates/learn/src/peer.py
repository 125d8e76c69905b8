"""The work of `wits bench learn` done by scikit-learn, on one core.

    python3 peer.py forest TRAIN TEST     100 trees on made-up rows
    python3 peer.py grid DATA             a quarter of the report's grid on Glass with gaps
    python3 peer.py boosting DATA         100 rounds of boosting on Glass

Rows are numbers separated by commas, the class last, nothing where a value is missing. Prints one
JSON object: seconds, the accuracy reached, and the version.
"""

import json
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    Normalizer,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("ignore")


def rows(path):
    table = np.genfromtxt(path, delimiter=",")
    return table[:, :-1], table[:, -1]


def forest(train, test):
    (x, y), (a, b) = rows(train), rows(test)
    start = time.perf_counter()
    fitted = RandomForestClassifier(100, n_jobs=1, random_state=1).fit(x, y)
    right = (fitted.predict(a) == b).mean()
    return time.perf_counter() - start, right


def boosting(path):
    x, y = rows(path)
    start = time.perf_counter()
    right = GradientBoostingClassifier(random_state=1).fit(x, y).score(x, y)
    return time.perf_counter() - start, right


def grid(path):
    x, y = rows(path)
    tree = DecisionTreeClassifier
    transformers = [
        "passthrough",
        StandardScaler(),
        Normalizer(),
        KBinsDiscretizer(3, encode="onehot-dense"),
        VarianceThreshold(0.5),
        SelectKBest(k=3),
        PCA(),
        RobustScaler(),
        PowerTransformer(),
        QuantileTransformer(n_quantiles=50),
        QuantileTransformer(n_quantiles=50, output_distribution="normal"),
    ]
    classifiers = [
        *(GaussianNB(var_smoothing=s) for s in (1e-9, 1e-6, 1e-3)),
        *(tree(max_depth=d, criterion=c, random_state=1) for c in ("gini", "entropy") for d in (2, 10)),
        KNeighborsClassifier(3),
        LinearSVC(random_state=1),
        SVC(gamma="auto"),
        RandomForestClassifier(100, n_jobs=1, random_state=1),
    ]
    start = time.perf_counter()
    best = 0.0
    for transformer in transformers:
        for classifier in classifiers:
            pipeline = make_pipeline(SimpleImputer(), transformer, classifier)
            scores = cross_val_score(pipeline, x, y, cv=StratifiedKFold(5), error_score=0.0)
            best = max(best, scores.mean())
    return time.perf_counter() - start, best


work = {"forest": forest, "grid": grid, "boosting": boosting}[sys.argv[1]]
seconds, accuracy = work(*sys.argv[2:])
print(json.dumps({"seconds": seconds, "accuracy": accuracy, "version": sklearn.__version__}))
