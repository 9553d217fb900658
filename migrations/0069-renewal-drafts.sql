-- For which end of an entitlement a quote of its next term has been drafted (docs/decisions/0069): each end has one at most.

alter table entitlements add column renewal_drafted_for timestamptz;
-- For the job.
create index entitlements_undrafted on entitlements (expires_at)
  where status in ('active', 'suspended') and not renews and order_id is not null
    and renewal_drafted_for is distinct from expires_at;
