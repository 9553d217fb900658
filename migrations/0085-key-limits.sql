-- API keys end, are bound to networks, say when they were last used, and get a new secret while the former one still
-- counts for a time (docs/decisions/0085).

alter table api_keys
  add column expires_at timestamptz,
  -- Addresses and ranges (CIDR); null is any.
  add column allowed_ips text[] check (cardinality(allowed_ips) > 0),
  add column last_used_at timestamptz,
  -- Tokens name the secret that they were made with.
  add column secret_version integer not null default 1,
  add column previous_digest bytea,
  add column previous_secret_ends_at timestamptz,
  add check ((previous_digest is null) = (previous_secret_ends_at is null));

create or replace view door_keys with (security_barrier = true) as
  select k.organization_id, k.consumer_key, k.secret_digest, k.permission, k.scopes, k.user_id,
         u.name as user_name, u.email as user_email, u.language, c.started_at, c.expired_at,
         k.id as key_id, k.expires_at, k.allowed_ips, k.secret_version, k.previous_digest, k.previous_secret_ends_at
    from api_keys k
    join users u on u.id = k.user_id and u.disabled_at is null
    join collaborators c on c.organization_id = k.organization_id and c.user_id = k.user_id and c.role <> 'pending'
   where k.revoked_at is null;
