-- What waits for its next payment does not end, and is not warned of (docs/decisions/0057): the jobs that warn and expire read
-- past none of it.

drop index entitlements_unwarned, entitlements_warned, licenses_unwarned, licenses_warned, entitlements_expiring, licenses_expiring;
create index entitlements_unwarned on entitlements (expires_at)
  where status in ('active', 'suspended') and not renews and expiry_warned_for is distinct from expires_at;
create index entitlements_warned on entitlements (expiry_warned_days, expires_at)
  where status in ('active', 'suspended') and not renews and expiry_warned_days is not null;
create index entitlements_expiring on entitlements (expires_at, organization_id, id)
  where status in ('active', 'suspended') and not renews;
create index licenses_unwarned on licenses (expires_at)
  where status in ('active', 'suspended') and not renews and expiry_warned_for is distinct from expires_at;
create index licenses_warned on licenses (expiry_warned_days, expires_at)
  where status in ('active', 'suspended') and not renews and expiry_warned_days is not null;
create index licenses_expiring on licenses (expires_at, organization_id, id)
  where status in ('active', 'suspended') and not renews;
