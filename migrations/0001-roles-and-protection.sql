-- Protection of tables. The three roles are made before the migrations (src/postgres/roles.ts): titular_owner owns the
-- schema, titular_app is what requests and jobs are, titular_system is for what no organization contains.

-- What each migration's file was when it ran (SHA-256): a file that was changed afterwards stops the next start.
alter table schema_migrations add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');

-- Binds a tenant table to its organization: the owner and the system role see all rows, the app role sees those of the
-- organization that the access check has set for this transaction. Nothing set, nothing seen. The service's roles may
-- read, add and change rows; a migration grants `delete` where rows go for good.
create procedure tenant_policies(name text) language plpgsql set search_path = public, pg_temp as $$
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
revoke execute on procedure tenant_policies(text) from public;
