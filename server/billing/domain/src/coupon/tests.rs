use super::*;
use crate::catalogue::Catalogued;

fn coupon(discount: Discount, duration: CouponDuration) -> NewCoupon {
    NewCoupon {
        code: CouponCode::parse("SPRING").expect("a code"),
        name: "Spring".to_owned(),
        discount,
        duration,
        valid_from: None,
        valid_until: None,
        max_redemptions: None,
    }
}

fn create(new: NewCoupon) -> Result<Coupon, Refusal> {
    Coupon::create(
        MerchantId::parse("m").expect("an id"),
        ConnectorAccountId::parse("mca_1").expect("an id"),
        new,
        Timestamp::EPOCH,
    )
}

const TENTH: Discount = Discount::Percent {
    basis_points: 1_000,
};

#[test]
fn one_out_of_bounds_is_refused_by_its_member() {
    let euros = |amount_minor| Discount::Amount {
        amount_minor,
        currency: Currency::EUR,
    };
    let percent = |basis_points| Discount::Percent { basis_points };
    let repeating = |periods| CouponDuration::Repeating { periods };
    let mut table = vec![
        (
            coupon(percent(0), CouponDuration::Once {}),
            "discount_basis_points",
        ),
        (
            coupon(percent(10_001), CouponDuration::Once {}),
            "discount_basis_points",
        ),
        (coupon(euros(0), CouponDuration::Once {}), "discount_amount"),
        (
            coupon(euros(-1), CouponDuration::Once {}),
            "discount_amount",
        ),
        (coupon(TENTH, repeating(0)), "duration_periods"),
        (
            coupon(TENTH, repeating(MOST_PERIODS + 1)),
            "duration_periods",
        ),
    ];
    let plain = || coupon(TENTH, CouponDuration::Once {});
    let now = Some(Timestamp::EPOCH);
    table.push((
        NewCoupon {
            valid_from: now,
            valid_until: now,
            ..plain()
        },
        "valid_until",
    ));
    table.push((
        NewCoupon {
            max_redemptions: Some(0),
            ..plain()
        },
        "max_redemptions",
    ));
    table.push((
        NewCoupon {
            name: " ".to_owned(),
            ..plain()
        },
        "name",
    ));
    for (new, expected) in table {
        match create(new) {
            Err(Refusal::InvalidFormat { member, .. }) => assert_eq!(member, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    assert!(create(plain()).is_ok());
}

#[test]
fn it_is_redeemed_in_time_and_number_and_currency() {
    let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds).expect("in range");
    let limited = create(NewCoupon {
        valid_from: Some(at(10)),
        valid_until: Some(at(20)),
        max_redemptions: Some(2),
        ..coupon(
            Discount::Amount {
                amount_minor: 5,
                currency: Currency::EUR,
            },
            CouponDuration::Once {},
        )
    })
    .expect("a coupon");
    let said = |currency, redemptions, seconds| {
        limited
            .redeem(currency, redemptions, at(seconds))
            .map_err(|refusal| refusal.to_string())
    };
    assert!(said(Currency::EUR, 1, 10).is_ok());
    assert!(said(Currency::EUR, 1, 19).is_ok());
    let mut refusals = Vec::new();
    for (currency, redemptions, seconds) in [
        (Currency::EUR, 1, 9),
        (Currency::EUR, 1, 20),
        (Currency::EUR, 2, 15),
        (Currency::USD, 1, 15),
    ] {
        refusals.push(said(currency, redemptions, seconds).expect_err("not redeemed"));
    }
    let archived = limited.archived(at(1));
    assert_eq!(archived.archived(at(2)).modified_at, at(1));
    refusals.push(
        archived
            .redeem(Currency::EUR, 0, at(15))
            .expect_err("archived")
            .to_string(),
    );
    insta::assert_snapshot!(refusals.join("\n"), @r"
    coupon_code SPRING can't be redeemed: it isn't valid yet
    coupon_code SPRING can't be redeemed: it isn't valid any more
    coupon_code SPRING can't be redeemed: it was redeemed as often as it may be
    coupon_code SPRING can't be redeemed: it is in EUR
    coupon_code SPRING can't be redeemed: it is archived
    ");
}

#[test]
fn it_discounts_as_many_invoices_as_it_says() {
    for (duration, expected) in [
        (CouponDuration::Once {}, 1),
        (CouponDuration::Repeating { periods: 3 }, 3),
        (CouponDuration::Forever {}, 12),
    ] {
        let coupon = create(coupon(TENTH, duration)).expect("a coupon");
        let mut applied = coupon
            .redeem(Currency::EUR, 0, Timestamp::EPOCH)
            .expect("redeemed");
        let mut discounted = 0;
        for period in 0..12 {
            let period = Timestamp::from_micros(period);
            if applied.applies(period) {
                discounted += 1;
                applied = applied.used(period);
                assert!(applied.applies(period), "all that is charged in it");
                assert_eq!(applied.used(period), applied, "it counts once");
            }
        }
        assert_eq!(discounted, expected, "{duration:?}");
    }
}
