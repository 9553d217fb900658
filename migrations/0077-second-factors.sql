-- The second factor of a sign-in: codes of an app (TOTP), recovery codes, and sign-ins that wait for one
-- (docs/decisions/0077). Global: a user belongs to no organization.

create table totp_factors (
  user_id bigint primary key references users (id) on delete cascade,
  -- The secret is derived from this and the service's secret key.
  nonce text not null,
  created_at timestamptz not null,
  -- Until a code has confirmed it, no sign-in asks for one.
  confirmed_at timestamptz,
  -- The time step of the last code that counted: neither its code nor an older one counts again.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  -- An HMAC under the service's secret key.
  digest bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, digest)
);

-- A password was right, and the second factor is yet to come.
create table sign_in_challenges (
  digest bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenges_user on sign_in_challenges (user_id);
create index sign_in_challenges_expires on sign_in_challenges (expires_at);

-- Wrong codes of an account, counted apart for each session and for each device that signed in before.
create table code_attempts (
  user_id bigint not null references users (id) on delete cascade,
  source text not null,
  attempts integer not null,
  since timestamptz not null,
  primary key (user_id, source)
);
create index code_attempts_since on code_attempts (since);

grant select, insert, update, delete on totp_factors, recovery_codes, sign_in_challenges, code_attempts to titular_system;

alter table sessions add column second_factor text check (second_factor in ('totp', 'recovery_code'));
grant select (second_factor) on sessions to titular_app;

alter table organizations add column require_mfa boolean not null default false;

-- The access check learns whether the organization requires a second factor.
create or replace view door as
select o.id as organization_id, c.user_id, c.role, c.weight, c.scopes, c.started_at, c.expired_at, c.ticket_visibility,
       case when o.has_test_clock
            then (select s.test_clock from event_sequences s where s.organization_id = o.id) end as test_clock,
       o.require_mfa
  from organizations o
       left join collaborators c on c.organization_id = o.id and c.user_id is not null and c.role <> 'pending'
 where o.deleted_at is null;
