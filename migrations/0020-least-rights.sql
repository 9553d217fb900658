-- Closes what stood open beside the tenant policies (docs/decisions/0025): two tables that name an organization and had
-- no policy, and rights that no code uses.

-- A new tenant table may be read, added to and changed. Where rows go for good, its migration grants `delete`.
create or replace procedure wall(name text) language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy owner_all on %I to titular_owner using (true) with check (true)', name);
  execute format('create policy system_all on %I to titular_system using (true) with check (true)', name);
  execute format('create policy tenant on %I to titular_app
    using (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)
    with check (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)', name);
  execute format('grant select, insert, update on %I to titular_app, titular_system', name);
  grant usage on all sequences in schema public to titular_app, titular_system;
end $$;
revoke execute on procedure wall(text) from public;

-- Unique over the whole service, but each row belongs to one organization: another must not see or remove it.
revoke all on claims, payment_references from titular_app, titular_system;
call wall('claims');
call wall('payment_references');
grant delete on claims to titular_app, titular_system;

-- Histories are added to, like the audit log.
revoke update, delete on contract_history, ticket_history from titular_app, titular_system;

-- Only these rows are ever removed; everything else ends in a state.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner = 'titular_owner'::regrole
       and c.relname not in ('claims', 'collaborators', 'idempotency_keys', 'jobs', 'search_terms', 'ticket_attachments',
                             'address_undos', 'known_addresses', 'rate_limits', 'refresh_tokens', 'sessions', 'user_tokens')
  loop
    execute format('revoke delete on %I from titular_app, titular_system', name);
  end loop;
end $$;

-- A claim is taken and let go of, never changed; a payment's reference is changed by the system role's jobs only.
revoke update on claims from titular_app, titular_system;
revoke update on payment_references from titular_app;
-- What came from outside stays as it came.
revoke update on provider_events from titular_system;
-- Counted by the system role alone.
revoke all on rate_limits from titular_app;

-- What a look-up by key filters out (revoked keys, disabled users) stays out of reach of whatever else the statement
-- evaluates. `door` is joined by user, for which the planner would read it whole: docs/decisions/0025.
alter view door_keys set (security_barrier = true);
