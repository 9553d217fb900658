-- Licenses that are activated, rotated and validated; the reason of a change; warnings before something expires.

-- Why somebody changed it, in their words; customers read it.
alter table audit_log add column reason text;

alter table licenses
  -- Hosts that take no slot: local ones, and those of environments that are not in production.
  add column staging_domains text[] not null default '{}',
  -- SHA-256 of the keys that a newer one replaced, so that whoever still uses one learns why it is refused.
  add column replaced_key_digests text[] not null default '{}',
  add column key_last_four text generated always as (right(license_key, 4)) stored,
  -- The end and the days before it that members were last warned of.
  add column expiry_warned_for timestamptz,
  add column expiry_warned_days integer,
  add constraint licenses_staging_domains check (cardinality(staging_domains) <= 100);

alter table entitlements
  add column expiry_warned_for timestamptz,
  add column expiry_warned_days integer;

-- The installed product knows its key and no organization. A key has 122 random bits.
create index licenses_key on licenses (license_key);
create index licenses_replaced_keys on licenses using gin (replaced_key_digests) where replaced_key_digests <> '{}';
create index licenses_expiring on licenses (expires_at, organization_id, id) where status in ('active', 'suspended');

-- What has not been warned of at all, and what has, by how many days before.
create index licenses_unwarned on licenses (expires_at)
  where status in ('active', 'suspended') and expiry_warned_for is distinct from expires_at;
create index licenses_warned on licenses (expiry_warned_days, expires_at)
  where status in ('active', 'suspended') and expiry_warned_days is not null;
create index entitlements_unwarned on entitlements (expires_at)
  where status in ('active', 'suspended') and expiry_warned_for is distinct from expires_at;
create index entitlements_warned on entitlements (expiry_warned_days, expires_at)
  where status in ('active', 'suspended') and expiry_warned_days is not null;

create index environments_staging on environments (organization_id, id) where environment_type <> 'production';
