/* The hat is the integral of x^-s over [k - 1/2, k + 1/2]: it exceeds k^-s for a convex density, and it can be
 * inverted. A point is drawn under the hat and kept if it is under the bar of its rank as well, which it
 * is most of the time. */
#include "zipf.h"

/* (exp(x) - 1) / x and log(1 + x) / x, continuous at 0, where s = 1 leads. */
static double expm1_over(double x) { return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2; }
static double log1p_over(double x) { return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2; }

static double density(const zipf *z, double x) { return exp(-z->s * log(x)); }

/* The integral of density from 1 to x. */
static double area(const zipf *z, double x) {
    double log_x = log(x);
    return expm1_over((1 - z->s) * log_x) * log_x;
}

static double area_inverse(const zipf *z, double a) {
    double t = a * (1 - z->s);
    if (t < -1) t = -1; /* rounding */
    return exp(log1p_over(t) * a);
}

void zipf_init(zipf *z, uint64_t n, double s) {
    z->n = n;
    z->s = s;
    z->area_first = area(z, 1.5) - 1;
    z->area_last = area(z, (double)n + 0.5);
    z->squeeze = 2 - area_inverse(z, area(z, 2.5) - density(z, 2));
}

uint64_t zipf_next(const zipf *z, tern__rng *rng) {
    for (;;) {
        double a = z->area_last + draw_unit(rng) * (z->area_first - z->area_last);
        double x = area_inverse(z, a);
        double k = floor(x + 0.5);
        if (k < 1) k = 1;
        if (k > (double)z->n) k = (double)z->n;
        if (k - x <= z->squeeze || a >= area(z, k + 0.5) - density(z, k)) return (uint64_t)k;
    }
}
