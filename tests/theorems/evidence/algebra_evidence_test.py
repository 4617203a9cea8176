"""Identities that algebra shows, and ones that fail, if only for one sign of a root: algebra_evidence_test.py CHECKER."""
from evidence_documents import *

TRUE, LIES = {}, {}
for statement in (
        "forall a, b in R: (a + b)^3 = a^3 + 3*a^2*b + 3*a*b^2 + b^3", "forall x in R: tanh(x) = 2*sigmoid(2*x) - 1",
        "forall n in {1, 3, 8}, u, v in R^n: norm(u + v)^2 = norm(u)^2 + norm(v)^2 + 2*dot(u, v)",
        "let a = norm(v)/norm(u), c = dot(u, v)/(norm(u)*norm(v)): forall u, v in R^2: (norm(u + v)/norm(u))^2 = 1 + 2*a*c + a^2",
        "forall n in 1..4, x in R^n, c in R: softmax(x + c) = softmax(x)", "forall n in 1..3, A, B in R^(n, n): trace(A*B) = trace(B*A)",
        "forall n in 1..3, Q in orthogonal(n), x in R^n: norm(Q*x) = norm(x)", "forall n in 1..3, x in sphere(n): norm(x) = 1",
        "forall n in 1..4, x, y in R^n: det(identity(n) + outer(x, y)) = 1 + dot(x, y)",
        "forall q, k in R^2: exp(-norm(q - k)^2/2) = exp(-norm(q)^2/2)*exp(-norm(k)^2/2)*exp(dot(q, k))",
        "let step(c, s) = [1 + c, -s*c; s*c, 1 + c]: forall c in R, s in {-1, 1}: det(step(c, s)) = (1 + c)^2 + c^2",
        "let a = L + 1 - t: forall L, t in R, n in 1..6: K(n) = (L*a^n - t)/(L - t) where K(0) = 1, K(l + 1) = a*K(l) + t"):
    TRUE[statement] = file(statement, "certificate", "algebra")
for statement in (
        "forall a, b in R: (a + b)^3 = a^3 + 3*a^2*b + 3*a*b^2 - b^3", "forall x in R: x + 1e-300 = x", "forall x in R: x <= x",
        "forall x in R: abs(x) = x", "forall x in R: sqrt(x^2) = x", "forall x, y in R: (abs(x) + x)*(abs(y) + y) = 0",
        "forall x in R^8: prod(i in 1..8: abs(x[i]) + x[i]) = 0", "forall n in 1..3, Q in orthogonal(n): det(Q) = 1",
        "forall x in R: exp(2*x) = exp(x)", "forall x in R: sin(x) = x", "forall x in R: tanh(x) = 2*sigmoid(2.001*x) - 1",
        "forall n in 1..3, x in R^n: sum(x) = x[1]", "forall x in R: x*(2^521 - 1) = 0", "forall x in R: (x - x)/(x - x) = 1",
        "forall n in 1..2, u, v in R^n: norm(u + v) = norm(u) + norm(v)", "exists x in R: x = x"):
    LIES["by algebra: " + statement] = file(statement, "certificate", "algebra")
# Roots of roots stand for either sign.
for statement in ("forall x in (0, inf): sqrt(sqrt(x))^4 = x", "forall x, y in R: max(x, y) + min(x, y) = x + y",
                  "forall x in R^2: sqrt(1 + sqrt(1 + norm(x)^2))^2 = 1 + sqrt(1 + dot(x, x))"):
    TRUE[statement] = file(statement, "certificate", "algebra")
for statement in ("forall x in (0, inf): sqrt(sqrt(x))^2 = x", "forall x, y in R: max(x, y) = x", "forall x in R: sqrt(x^4) = x^2 + 1",
                  "forall x in R: max(x, -x) = x", "forall x in R: sqrt(sqrt(x^4)) = x", "forall x in R: 1/(sqrt(x^2) - x) = 1/(sqrt(x^2) - x)"):
    LIES["by algebra: " + statement] = file(statement, "certificate", "algebra")
judge(TRUE, LIES)
