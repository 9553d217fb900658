-- What a person sees of a session: how it was opened, and when it was last used (docs/decisions/0076).

alter table sessions
  add column signed_in_by text not null default 'password' check (signed_in_by in ('password', 'mailed_link')),
  add column last_seen_at timestamptz not null default now();
update sessions set last_seen_at = created_at;
