-- Which tickets of the organization a member sees, and what was wrong with the entitlement when a ticket was opened
-- (docs/decisions/0063).

alter table collaborators
  add column ticket_visibility text not null default 'all' check (ticket_visibility in ('own', 'watched', 'all')),
  add check (role <> 'owner' or ticket_visibility = 'all');
alter table tickets
  add column entitlement_problem text check (entitlement_problem in ('suspended', 'expired', 'cancelled'));

create or replace view door as
  select o.id as organization_id, c.user_id, c.role, c.weight, c.scopes, c.started_at, c.expired_at, c.ticket_visibility
    from organizations o
    left join collaborators c on c.organization_id = o.id and c.user_id is not null and c.role <> 'pending'
   where o.deleted_at is null;

-- `app.ticket_visibility` is empty for whoever sees all; an equality would let the planner expect that nobody does. Only what is read is restricted: a member who stops watching a
-- ticket writes a row that they do not see any more.
create policy tickets_have_readers on tickets as restrictive to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched')
    or created_by = nullif(current_setting('app.user_id', true), '')::bigint
    or current_setting('app.ticket_visibility', true) = 'watched'
      and nullif(current_setting('app.user_id', true), '')::bigint = any (watcher_ids))
  with check (true);
create policy tickets_have_readers on ticket_comments as restrictive to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or (select true from tickets t
    where t.organization_id = ticket_comments.organization_id and t.id = ticket_comments.ticket_id))
  with check (true);
create policy tickets_have_readers on ticket_attachments as restrictive to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or (select true from tickets t
    where t.organization_id = ticket_attachments.organization_id and t.id = ticket_attachments.ticket_id))
  with check (true);
create policy tickets_have_readers on ticket_history as restrictive to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or (select true from tickets t
    where t.organization_id = ticket_history.organization_id and t.id = ticket_history.ticket_id))
  with check (true);
create policy tickets_have_readers on ticket_issues as restrictive to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or (select true from tickets t
    where t.organization_id = ticket_issues.organization_id and t.id = ticket_issues.ticket_id))
  with check (true);
-- The statement that adds a ticket adds its event and entry too, and does not see the ticket yet: its creator is in them.
create policy tickets_have_readers on audit_log as restrictive for select to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or case
    when resource = 'ticket' then after ->> 'created_by' = current_setting('app.user_id', true) or (select true from tickets t
      where t.organization_id = audit_log.organization_id and t.id = audit_log.resource_id)
    when resource like 'ticket\_%' then (select true from tickets t
      where t.organization_id = audit_log.organization_id
        and t.id = (coalesce(audit_log.after, audit_log.before) ->> 'ticket_id')::bigint)
    else true end);
create policy tickets_have_readers on events as restrictive for select to titular_app
  using (coalesce(current_setting('app.ticket_visibility', true), '') not in ('own', 'watched') or case
    when resource = 'ticket' then data ->> 'created_by' = current_setting('app.user_id', true) or (select true from tickets t
      where t.organization_id = events.organization_id and t.id = events.resource_id)
    when resource like 'ticket\_%' then (select true from tickets t
      where t.organization_id = events.organization_id and t.id = (events.data ->> 'ticket_id')::bigint)
    else true end);
