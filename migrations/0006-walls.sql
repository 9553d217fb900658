-- Who may touch what, and the wall between organizations. Every later tenant table ends with
-- `select wall('its_name')`; a test walks all tables and finds the one that forgot.

-- ENABLE and FORCE; the owner sees all (data migrations, backup), the system role sees all, the app role sees the
-- organization that the door has set for this transaction. Nothing set, nothing seen.
create procedure wall(name text) language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy owner_all on %I to titular_owner using (true) with check (true)', name);
  execute format('create policy system_all on %I to titular_system using (true) with check (true)', name);
  execute format('create policy tenant on %I to titular_app
    using (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)
    with check (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)', name);
  execute format('grant select, insert, update, delete on %I to titular_app, titular_system', name);
  grant usage on all sequences in schema public to titular_app, titular_system;
end $$;

call wall('organizations');
call wall('collaborators');
call wall('api_keys');
call wall('event_sequences');
call wall('events');
call wall('audit_log');
call wall('jobs');
call wall('idempotency_keys');
call wall('quotes');
call wall('orders');
call wall('invoices');
call wall('refunds');
call wall('entitlements');
call wall('licenses');
call wall('environments');
call wall('services');
call wall('contracts');
call wall('affiliates');

-- Append-only for the service.
revoke update, delete on audit_log, events from titular_app, titular_system;
grant select, insert on service_audit to titular_system;

-- Drafts are the vendor's own.
create policy drafts_are_for_staff on quotes as restrictive to titular_app
  using (status <> 'draft' or current_setting('app.staff', true) = 'on');

-- What only the vendor may see stays hidden in the trail too: drafts before they are sent, internal notes.
create policy drafts_are_for_staff on audit_log as restrictive for select to titular_app
  using (current_setting('app.staff', true) = 'on'
    or not (resource = 'quote' and (action in ('created', 'updated') or coalesce(before ->> 'status', '') = 'draft' and action <> 'sent')
      or coalesce(before ->> 'internal', after ->> 'internal', 'false') = 'true'));

-- Global tables: what the app role needs of them and no more.
grant select, insert, update, delete on users, sessions, refresh_tokens, user_tokens, rate_limits, claims,
  provider_events, payment_references, code_counters, number_series to titular_system;
grant select (id, email, name, login, avatar, status, language, roles, disabled_at) on users to titular_app;
grant select (id, user_id, secret_digest, ended_at, expires_at) on sessions to titular_app;
grant select, insert, update on code_counters, number_series to titular_app;
grant select, insert, update, delete on claims to titular_app;
grant select, insert on payment_references to titular_app;
grant select, insert, update, delete on rate_limits to titular_app;
-- Only the columns that say who waits, so that the claim is never seen from another organization.
revoke select on claims from titular_app;
grant select (kind, value) on claims to titular_app;
grant usage on all sequences in schema public to titular_app, titular_system;

-- Entering (src/kernel/door.ts): the only two views that see through the walls, with their owner's eyes; they tell who
-- belongs where, and nothing else.
create view door as
  select o.id as organization_id, c.user_id, c.role, c.weight, c.scopes, c.started_at, c.expired_at
    from organizations o
    left join collaborators c on c.organization_id = o.id and c.user_id is not null and c.role <> 'pending'
   where o.deleted_at is null;

create view door_keys as
  select k.organization_id, k.consumer_key, k.secret_digest, k.permission, k.scopes, k.user_id,
         u.name as user_name, u.email as user_email, u.language, c.started_at, c.expired_at
    from api_keys k
    join users u on u.id = k.user_id and u.disabled_at is null
    join collaborators c on c.organization_id = k.organization_id and c.user_id = k.user_id and c.role <> 'pending'
   where k.revoked_at is null;
grant select on door, door_keys to titular_app, titular_system;
