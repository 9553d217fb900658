-- Entries of staff are listed over all organizations and ended early (docs/decisions/0103).

alter table staff_entries add column ended_at timestamptz, add column updated_at timestamptz;
update staff_entries set updated_at = created_at;
alter table staff_entries alter column updated_at set default now(), alter column updated_at set not null;
grant update (ended_at, updated_at) on staff_entries to titular_system;

create index staff_entries_everywhere on staff_entries (id);
create index staff_entries_everywhere_user on staff_entries (user_id, id);
create index staff_entries_everywhere_created on staff_entries (created_at, id);
create index staff_entries_everywhere_updated on staff_entries (updated_at, id);
create index staff_entries_everywhere_end on staff_entries (least(ends_at, ended_at), id);

-- Of several entries in force, the reason that was given last counts.
create or replace view door_entries with (security_barrier = true) as
select e.organization_id, e.user_id, e.reason, e.ends_at, e.id as entry_id
  from staff_entries e join users u on u.id = e.user_id and u.disabled_at is null
 where e.ended_at is null;
