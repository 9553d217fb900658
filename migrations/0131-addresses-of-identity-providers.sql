-- Whether the addresses of an identity provider count where it says nothing of `email_verified` (docs/decisions/0091).
alter table sso_connections add column trusts_email boolean not null default false;
