-- Every history names its columns alike: changed_at, changed_by (the user's id) and changed_by_name.
alter table environment_history rename column at to changed_at;
alter table environment_history rename column by to changed_by_name;
alter table environment_history add column changed_by bigint references users (id);
alter table service_history rename column at to changed_at;
alter table service_history rename column by to changed_by_name;
alter table service_history add column changed_by bigint references users (id);
alter table ticket_history add column changed_by_name text;
alter table contract_history add column changed_by_name text;

-- Until now these two kept only the name, and the audit entry of the same move has both. Where two moves share a moment
-- and a state, they are one person's.
update environment_history h set changed_by = (
  select l.actor_id from audit_log l
   where l.organization_id = h.organization_id and l.resource = 'environment' and l.resource_id = h.environment_id
     and l.at = h.changed_at and l.after ->> 'status' = h.to_status and l.actor = h.changed_by_name limit 1);
update service_history h set changed_by = (
  select l.actor_id from audit_log l
   where l.organization_id = h.organization_id and l.resource = 'service' and l.resource_id = h.service_id
     and l.at = h.changed_at and l.after ->> 'status' = h.to_status and l.actor = h.changed_by_name limit 1);
update ticket_history h set changed_by_name = coalesce((select u.name from users u where u.id = h.changed_by), 'system');
update contract_history h set changed_by_name = coalesce((select u.name from users u where u.id = h.changed_by), 'system');

alter table ticket_history alter column changed_by_name set not null;
alter table contract_history alter column changed_by_name set not null;
