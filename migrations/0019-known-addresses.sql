-- The network addresses from which an account was signed in to lately: guesses from elsewhere are counted apart from
-- theirs (docs/decisions/0023-guesses-from-elsewhere.md). Global: a user belongs to no organization.

create table known_addresses (
  user_id bigint not null references users (id) on delete cascade,
  -- An HMAC under the service's secret key.
  digest bytea not null,
  expires_at timestamptz not null,
  primary key (user_id, digest)
);
create index known_addresses_expires on known_addresses (expires_at);

grant select, insert, update, delete on known_addresses to titular_system;
