-- Warnings before an API key ends (docs/decisions/0102): for which end, and for how many days before it, the last one was.

alter table api_keys add column expiry_warned_for timestamptz, add column expiry_warned_days integer;
create index api_keys_expiring on api_keys (expires_at, organization_id, id) where expires_at is not null and revoked_at is null;

alter table vendor_keys add column expiry_warned_for timestamptz, add column expiry_warned_days integer;
create index vendor_keys_expiring on vendor_keys (expires_at, id) where expires_at is not null and revoked_at is null;

-- The keys of a creator, who has left.
create index vendor_keys_created_by on vendor_keys (created_by, id) where revoked_at is null;
