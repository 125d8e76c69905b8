"""Whether scikit-learn's deep trees differ from one another, and whether every question they ask is
one of the best at its place, as `methods.rs` counts it for the trees here.

    python3 tests/trees.py ../../data/learn/glass.csv

Fits trees of depth 2 and 10 with 50 seeds on Glass, wine and breast cancer. For each it prints how
many different trees there are and, of the questions of the first five, how many a plain count of all
possible questions beats and how many have rivals that are as good.
"""

import sys

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier


def shape(tree):
    tree = tree.tree_
    thresholds = np.round(tree.threshold, 9)
    return tuple(zip(tree.feature.tolist(), thresholds.tolist(), tree.children_left.tolist()))


def worth(y, left, classes):
    """The sum of squared class counts over rows, on both sides: the larger the purer."""
    sides = [np.bincount(y[left], minlength=classes), np.bincount(y[~left], minlength=classes)]
    return sum((counts * counts).sum() / max(counts.sum(), 1) for counts in sides)


def questions(tree, x, y):
    """How many questions a tree asks, how many are not the best, and how many have rivals."""
    tree, classes = tree.tree_, y.max() + 1
    asked = beaten = tied = 0
    todo = [(0, np.arange(len(y)))]
    while todo:
        node, rows = todo.pop()
        if tree.feature[node] < 0:
            continue
        left = x[rows, tree.feature[node]] <= tree.threshold[node]
        chosen, best, rivals = worth(y[rows], left, classes), 0.0, 0
        for j in range(x.shape[1]):
            values = np.unique(x[rows, j])
            for low, high in zip(values, values[1:]):
                other = worth(y[rows], x[rows, j] <= (low + high) / 2, classes)
                best = max(best, other)
                rivals += other >= chosen - 1e-9
        asked, beaten, tied = asked + 1, beaten + (best > chosen + 1e-9), tied + (rivals > 1)
        todo += [(tree.children_left[node], rows[left]), (tree.children_right[node], rows[~left])]
    return asked, beaten, tied


glass = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
tables = {
    "glass": (glass[:, 1:10], glass[:, 10]),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
}
print("scikit-learn", sklearn.__version__, "numpy", np.__version__)
for name, (x, y) in tables.items():
    y = np.unique(y, return_inverse=True)[1]
    for depth in (2, 10):
        fit = lambda seed: DecisionTreeClassifier(max_depth=depth, random_state=seed).fit(x, y)
        trees = [fit(seed) for seed in range(50)]
        different = len({shape(tree) for tree in trees})
        asked, beaten, tied = np.sum([questions(tree, x, y) for tree in trees[:5]], axis=0)
        print(f"{name}, depth {depth}: {different} different trees of 50; of {asked} questions", end=" ")
        print(f"{beaten} are not the best and {tied} have rivals as good")
