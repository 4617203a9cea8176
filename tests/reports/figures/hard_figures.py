"""Figures that are hard to draw well: ten names, long ones, narrow ranges, large heat maps."""
import math


def series(name, function, places, **more):
    return dict(name=name, points=[[x, function(x)] for x in places], **more)


def axis(label, scale="linear", **more):
    return dict(label=label, scale=scale, **more)


def heat(columns, rows):
    """A map over a logarithmic and a linear axis with values over three decades."""
    return [[10 ** (i / 25 - 2), j / 10, 1e-3 + abs(math.sin(i / 15) * math.cos(j / 12))]
            for i in range(columns) for j in range(rows)]


LENGTHS = [2 ** k for k in range(3, 12)]
WORDS = "that says in words what a symbol could have said, "
FIGURES = [
    dict(name="ten", title=r"Ten series of $\|A_t - \hat A\|_F$ over the length $N$", x=axis("length $N$", "log"),
         y=axis(r"largest error $\epsilon_{ij}^{2}$ over all rows", "log"),
         series=[series(rf"variant $\alpha_{{{i}}}$ of ten", lambda x, i=i: 3 * x ** (-0.1 * (i + 1)), LENGTHS)
                 for i in range(10)]),
    dict(name="narrow", title="", x=axis("x", "log"), y=axis("y", "log"),
         series=[series("data in a third of a decade", lambda x: 1.1 * x, [20, 25, 30, 38, 44])],
         references=[dict(name="limit", y=30.0)]),
    dict(name="long", title="A title that goes on and on " * 4, x=axis("a very long name of the horizontal axis " + WORDS * 2),
         y=axis("a very long name of the vertical axis " + WORDS * 2),
         series=[dict(name=f"a rather long name of a series of points, the {which}, which nobody would like to lose",
                      style="points", points=[[(7 * i) % 11, (3 * i) % 7 * 1e-7] for i in range(20)])
                 for which in ("first", "second", "third")]),
    dict(name="close", title="Lines that end together", x=axis("t"), y=axis("y"),
         series=[series(f"s{i}", lambda x, i=i: 1 + i * 1e-3 * x, [0, 1, 2, 3]) for i in range(7)]),
    dict(name="names", title="", x=axis("difference"),
         y=axis("", places=[[1, "bilateral + boosting − softmax"], [2, "twicing − softmax"]]),
         series=[dict(name="", style="points", points=[[0.1, 1, -0.2, 0.4], [-0.3, 2, -0.5, -0.1]])],
         references=[dict(name="smallest that matters", x=0.3), dict(name="", x=0)]),
    dict(name="heat", title="Phases", x=axis(r"$\gamma$", "log"), y=axis("$L$"), series=[],
         heat=dict(label="ratio $K(l)$", scale="log", points=heat(100, 100)),
         references=[dict(name=r"$\gamma = L$", points=[[0.01, 0.01], [9, 9]])]),
    dict(name="heat-large", title="", x=axis("n", "log"), y=axis("d"), series=[],
         heat=dict(label="value", scale="log", points=heat(300, 200))),
    dict(name="heat-small", title="", x=axis("n"), y=axis("d"), series=[],
         heat=dict(label="value", points=[[i, j, i * j] for i in range(6) for j in range(5)])),
    dict(name="band", title="", x=axis("step"), y=axis("loss"),
         series=[dict(name=f"sigma_{i}", style="line",
                      points=[[t, 2 / (1 + t / 10) + i / 5, 2 / (1 + t / 10) + i / 5 - 0.1, 2 / (1 + t / 10) + i / 5 + 0.1]
                              for t in range(30)]) for i in range(3)], references=[dict(name="claimed", y=0.5)]),
    dict(name="one", title="", x=axis("n"), y=axis("y"), series=[dict(name="a point", points=[[3, 7]])]),
    dict(name="tiny", title="", x=axis("n", "log"), y=axis("y"),
         series=[series("ratio", lambda x: -1.7e-9 * x, [10 ** k for k in range(1, 15)])]),
]
