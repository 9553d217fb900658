-- Orders that have extended an entitlement by a further term (docs/decisions/0065): what each of them has moved, so that
-- its refund moves it back.

alter table entitlements add column renewals jsonb not null default '[]';
-- For a refund.
create index entitlements_renewed on entitlements (organization_id, id) where renewals <> '[]';
