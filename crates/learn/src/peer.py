"""The work of `wits bench learn` done by scikit-learn, on one core.

    python3 peer.py grid COLUMNS DATA                   the report's grid on Glass with gaps
    python3 peer.py predict COLUMNS TRAIN TEST STEP     a classifier, fitted and asked
    python3 peer.py transform COLUMNS TRAIN TEST STEP   any other step, fitted and applied

Files are rows of eight-byte numbers, the class last, NaN where a value is missing; STEP is Python
source that makes `step`. Work is repeated until half a second is spent. Prints one JSON object:
seconds of processor, the accuracy reached, and the version.
"""

import json
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import KNNImputer, SimpleImputer
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
    table = np.fromfile(path).reshape(-1, columns)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(int)


def repeated(work):
    times, start = 0, time.process_time()
    while times == 0 or time.process_time() - start < 0.5:
        result = work()
        times += 1
    return (time.process_time() - start) / times, result


def made(path):
    names = {}
    exec(open(path).read(), names)
    return names["step"]


def predict(train, test, source):
    (x, y), (a, b) = rows(train), rows(test)
    step = made(source)
    return repeated(lambda: (step.fit(x, y).predict(a) == b).mean())


def transform(train, test, source):
    x, y = rows(train)
    step = made(source)
    return repeated(lambda: step.fit_transform(x, y))[0], None


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
    imputers = [KNNImputer(n_neighbors=1), KNNImputer(n_neighbors=3), SimpleImputer()]
    imputers.append(SimpleImputer(strategy="median"))
    start = time.process_time()
    best = 0.0
    for imputer in imputers:
        for transformer in transformers:
            for classifier in classifiers:
                pipeline = make_pipeline(imputer, transformer, classifier)
                scores = cross_val_score(pipeline, x, y, cv=StratifiedKFold(5), error_score=0.0)
                best = max(best, scores.mean())
    return time.process_time() - start, best


columns = int(sys.argv[2])
work = {"grid": grid, "predict": predict, "transform": transform}[sys.argv[1]]
seconds, accuracy = work(*sys.argv[3:])
print(json.dumps({"seconds": seconds, "accuracy": accuracy, "version": sklearn.__version__}))
