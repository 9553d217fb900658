-- The hash chains of the audit logs (docs/decisions/0082): one for each organization and one of the service. A seal is the hash
-- of an entry and of the seal before it, in the order of the entries' ids. Seals are only added, like the entries.
create table audit_seals (
  organization_id bigint not null,
  entry_id bigint not null,
  hash bytea not null check (length(hash) = 32),
  primary key (organization_id, entry_id)
);
call wall('audit_seals');
revoke all on audit_seals from titular_app;
revoke update, delete on audit_seals from titular_system;

create table service_audit_seals (
  entry_id bigint primary key,
  hash bytea not null check (length(hash) = 32)
);
grant select, insert on service_audit_seals to titular_system;

-- How far each log is sealed. Entries up to marked_id were committed, or will never be, once all transactions before
-- marked_before are over; then they are sealed.
create table audit_sealing (
  log text primary key check (log in ('audit_log', 'service_audit')),
  sealed_id bigint not null default 0,
  marked_id bigint not null default 0 check (marked_id >= sealed_id),
  marked_before xid8 not null default '0',
  marked_at timestamptz not null default '-infinity'
);
insert into audit_sealing (log) values ('audit_log'), ('service_audit');
grant select, update on audit_sealing to titular_system;
