//! Positions on the globe and in local kilometres.

use serde::{Deserialize, Serialize};

/// A position as timetables give it, in degrees (WGS 84).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Globe {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

impl Globe {
    /// The place of a latitude and a longitude, if they are numbers of the globe.
    ///
    /// ```
    /// use wits_transit::Globe;
    /// assert!(Globe::new(51.1, 17.0).is_some());
    /// assert!(Globe::new(f64::NAN, 17.0).is_none() && Globe::new(91.0, 17.0).is_none());
    /// ```
    pub fn new(lat: f64, lon: f64) -> Option<Globe> {
        (lat.abs() <= 90.0 && lon.abs() <= 180.0).then_some(Globe { lat, lon })
    }
}

/// How degrees become kilometres.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Projection {
    /// Transverse Mercator on the WGS 84 ellipsoid around the middle of the feed: lengths are
    /// true to about `(distance from the middle / earth radius)² / 2`, 0.003 % at 50 km.
    #[default]
    Ellipsoid,
    /// The report's: orthogonal onto the plane that touches a sphere of radius 6364.9 km in the
    /// middle. Exact only near the middle and only against the same sphere; the true figure of
    /// the earth differs from it by metres within a city.
    Sphere,
}

const A: f64 = 6378.137;
const F: f64 = 1.0 / 298.257_223_563;
/// Radius of the earth near Wrocław, as the report takes it from a latitude calculator.
const SPHERE: f64 = 6364.9;

/// A local map: kilometres east and north of a middle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plane {
    middle: Globe,
    projection: Projection,
    north: f64,
}

impl Plane {
    /// The map around a middle.
    pub fn new(middle: Globe, projection: Projection) -> Plane {
        let mut plane = Plane {
            middle,
            projection,
            north: 0.0,
        };
        if projection == Projection::Ellipsoid {
            plane.north = plane.mercator(middle).1;
        }
        plane
    }

    /// Where the map is centred.
    pub fn middle(&self) -> Globe {
        self.middle
    }

    /// Kilometres east and north of the middle.
    pub fn place(&self, at: Globe) -> (f64, f64) {
        match self.projection {
            Projection::Ellipsoid => {
                let (x, y) = self.mercator(at);
                (x, y - self.north)
            }
            Projection::Sphere => self.tangent(at),
        }
    }

    #[expect(
        clippy::many_single_char_names,
        reason = "the letters of the published formulas"
    )]
    /// Krüger's series to the third order in the flattening: below a millimetre in a city.
    fn mercator(&self, at: Globe) -> (f64, f64) {
        let n = F / (2.0 - F);
        let (n2, n3) = (n * n, n * n * n);
        let radius = A / (1.0 + n) * (1.0 + n2 / 4.0 + n2 * n2 / 64.0);
        let alpha = [
            n / 2.0 - 2.0 * n2 / 3.0 + 5.0 * n3 / 16.0,
            13.0 * n2 / 48.0 - 3.0 * n3 / 5.0,
            61.0 * n3 / 240.0,
        ];
        let e = libm::sqrt(F * (2.0 - F));
        let sin = libm::sin(at.lat.to_radians());
        // Conformal latitude, as its tangent.
        let t = libm::sinh(libm::atanh(sin) - e * libm::atanh(e * sin));
        let turn = (at.lon - self.middle.lon).to_radians();
        let xi = libm::atan2(t, libm::cos(turn));
        let eta =
            libm::asinh(libm::sin(turn) / libm::sqrt(t * t + libm::pow(libm::cos(turn), 2.0)));
        let (mut x, mut y) = (eta, xi);
        for (j, a) in (1..).zip(alpha) {
            let k = 2.0 * f64::from(j);
            x += a * libm::cos(k * xi) * libm::sinh(k * eta);
            y += a * libm::sin(k * xi) * libm::cosh(k * eta);
        }
        (radius * x, radius * y)
    }

    fn tangent(&self, at: Globe) -> (f64, f64) {
        let (lat, turn) = (at.lat.to_radians(), (at.lon - self.middle.lon).to_radians());
        let lat0 = self.middle.lat.to_radians();
        let x = SPHERE * libm::cos(lat) * libm::sin(turn);
        let y = SPHERE
            * (libm::cos(lat0) * libm::sin(lat)
                - libm::sin(lat0) * libm::cos(lat) * libm::cos(turn));
        (x, y)
    }
}

/// Length of the geodesic on the WGS 84 ellipsoid in kilometres (Vincenty 1975).
///
/// Independent of [`Plane`] and exact to a millimetre away from antipodes: the yardstick for
/// the projections.
pub fn geodesic_km(from: Globe, to: Globe) -> f64 {
    let b = A * (1.0 - F);
    let reduced = |lat: f64| libm::atan((1.0 - F) * libm::tan(lat.to_radians()));
    let (u1, u2) = (reduced(from.lat), reduced(to.lat));
    let l = (to.lon - from.lon).to_radians();
    let (s1, c1, s2, c2) = (libm::sin(u1), libm::cos(u1), libm::sin(u2), libm::cos(u2));
    let mut lambda = l;
    for _ in 0..100 {
        let (sl, cl) = (libm::sin(lambda), libm::cos(lambda));
        let sin_sigma = libm::hypot(c2 * sl, c1 * s2 - s1 * c2 * cl);
        if sin_sigma == 0.0 {
            return 0.0;
        }
        let cos_sigma = s1 * s2 + c1 * c2 * cl;
        let sigma = libm::atan2(sin_sigma, cos_sigma);
        let sin_alpha = c1 * c2 * sl / sin_sigma;
        let cos2_alpha = 1.0 - sin_alpha * sin_alpha;
        let cos_2m = if cos2_alpha == 0.0 {
            0.0
        } else {
            cos_sigma - 2.0 * s1 * s2 / cos2_alpha
        };
        let c = F / 16.0 * cos2_alpha * (4.0 + F * (4.0 - 3.0 * cos2_alpha));
        let next = l
            + (1.0 - c)
                * F
                * sin_alpha
                * (sigma
                    + c * sin_sigma * (cos_2m + c * cos_sigma * (2.0 * cos_2m * cos_2m - 1.0)));
        let done = (next - lambda).abs() < 1e-12;
        lambda = next;
        if done {
            let u = cos2_alpha * (A * A - b * b) / (b * b);
            let big_a = 1.0 + u / 16384.0 * (4096.0 + u * (-768.0 + u * (320.0 - 175.0 * u)));
            let big_b = u / 1024.0 * (256.0 + u * (-128.0 + u * (74.0 - 47.0 * u)));
            let delta = big_b
                * sin_sigma
                * (cos_2m
                    + big_b / 4.0
                        * (cos_sigma * (2.0 * cos_2m * cos_2m - 1.0)
                            - big_b / 6.0
                                * cos_2m
                                * (4.0 * sin_sigma * sin_sigma - 3.0)
                                * (4.0 * cos_2m * cos_2m - 3.0)));
            return b * big_a * (sigma - delta);
        }
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RYNEK: Globe = Globe {
        lat: 51.110,
        lon: 17.032,
    };

    fn error(projection: Projection, a: Globe, b: Globe) -> f64 {
        let plane = Plane::new(RYNEK, projection);
        let (p, q) = (plane.place(a), plane.place(b));
        libm::hypot(p.0 - q.0, p.1 - q.1) - geodesic_km(a, b)
    }

    #[test]
    fn vincenty_knows_a_published_line() {
        // Flinders Peak to Buninyong, the worked example of Geoscience Australia.
        let a = Globe {
            lat: -(37.0 + 57.0 / 60.0 + 3.72030 / 3600.0),
            lon: 144.0 + 25.0 / 60.0 + 29.52440 / 3600.0,
        };
        let b = Globe {
            lat: -(37.0 + 39.0 / 60.0 + 10.15610 / 3600.0),
            lon: 143.0 + 55.0 / 60.0 + 35.38390 / 3600.0,
        };
        assert!(
            (geodesic_km(a, b) - 54.972_271).abs() < 1e-5,
            "{}",
            geodesic_km(a, b)
        );
    }

    #[test]
    fn the_sphere_is_metres_off_where_the_ellipsoid_is_not() {
        let far = Globe {
            lat: 51.20,
            lon: 17.20,
        };
        assert!(error(Projection::Sphere, RYNEK, far).abs() > 0.002);
        assert!(error(Projection::Ellipsoid, RYNEK, far).abs() < 0.000_1);
        assert_eq!(
            Plane::new(RYNEK, Projection::Ellipsoid).place(RYNEK),
            (0.0, 0.0)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn lengths_are_true_to_a_thousandth_within_fifty_kilometres(
            a in (-0.44..0.44f64, -0.69..0.69f64),
            b in (-0.44..0.44f64, -0.69..0.69f64),
        ) {
            let at = |(lat, lon): (f64, f64)| Globe { lat: RYNEK.lat + lat, lon: RYNEK.lon + lon };
            let true_km = geodesic_km(at(a), at(b));
            prop_assert!(error(Projection::Ellipsoid, at(a), at(b)).abs() <= 0.001 * true_km + 1e-6);
        }
    }
}
