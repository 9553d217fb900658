-- The removals in a form that a cluster takes as well (docs/decisions/0122).

-- As before, and beside the seal of each entry that it changes comes the hash of what is left of it, since a transaction changes the
-- rows of a node as one user only. Entries without a seal are sealed as they are. What is hashed is that of kernel/data/audit-chain.ts.
create or replace function erase_from_audit_log(erasure bigint, first_id bigint, last_id bigint)
returns table (owner bigint, entry_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  with person as (
    select u.id, u.name, within_json(u.name) as json_name, addresses_pattern(coalesce(e.addresses, array[u.email])) as pattern,
           'erased-' || u.id || '@erased.invalid' as replacement
      from erasures e join users u on u.id = e.user_id where e.id = erasure and e.status = 'running'
  ), found as (
    select l.organization_id, l.id, l.actor_id is not distinct from p.id as is_actor,
           without_person(l.before::text, p.pattern, p.json_name, p.replacement, true) as before,
           without_person(l.after::text, p.pattern, p.json_name, p.replacement, true) as after,
           without_person(l.reason, p.pattern, p.name, p.replacement, true) as reason
      from audit_log l cross join person p
     where l.id between first_id and last_id
       and (l.actor_id is not distinct from p.id
         or concat(l.before, l.after) ~ ('"(user_id|created_by|author_id|changed_by|requested_by|uploaded_by|recorded_by|owner_id)": ' || p.id || '[,}]')
         or coalesce(concat(l.before, l.after, l.reason) ~* p.pattern, false))
  ), changed as (
    update audit_log l set before = f.before::jsonb, after = f.after::jsonb, reason = f.reason,
           actor = case when f.is_actor then 'erased' else l.actor end, ip = case when f.is_actor then null else l.ip end
      from found f
     where l.organization_id = f.organization_id and l.id = f.id
       and (f.before::jsonb is distinct from l.before or f.after::jsonb is distinct from l.after or f.reason is distinct from l.reason
            or f.is_actor and (l.actor <> 'erased' or l.ip is not null))
    returning l.organization_id, l.id, l.at, l.actor_kind, l.actor_id, l.actor, l.action, l.resource, l.resource_id, l.before, l.after, l.reason,
              l.request_id, l.ip
  ), redacted as (
    insert into audit_redactions (organization_id, entry_id, erasure_id, hash)
    select s.organization_id, s.entry_id, erasure, sha256(s.hash || convert_to(jsonb_build_array(1, 'audit_log', l.organization_id, l.id,
             to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), l.actor_kind, l.actor_id, l.actor, l.action, l.resource,
             l.resource_id, l.before, l.after, l.reason, l.request_id, l.ip)::text, 'UTF8'))
      from changed l join audit_seals s on s.organization_id = l.organization_id and s.entry_id = l.id
    on conflict (organization_id, entry_id) do update set erasure_id = excluded.erasure_id, hash = excluded.hash
    returning 1
  )
  select c.organization_id, c.id from changed c
$$;

-- As before, and the deletion names the organization beside the place of the row, which is one of a node.
create or replace function remove_from_organization(erasure bigint, table_name text, most integer) returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  owner bigint;
  phase text;
  working constant text[] := array['ticket_issue_comments', 'issue_references', 'issue_syncs', 'ticket_issues', 'ticket_history',
    'ticket_attachments', 'ticket_comments', 'tickets', 'milestones', 'service_history', 'services', 'site_reports', 'sites',
    'maintenance_windows', 'environment_history', 'environments', 'document_accesses', 'document_shares', 'document_versions',
    'documents', 'download_counts', 'licenses', 'dunning_cases', 'commerce_orders', 'crm_deals', 'crm_companies', 'crm_proposals',
    'quote_links', 'quote_requests', 'webhook_deliveries', 'webhook_queues', 'webhook_endpoints', 'idempotency_keys',
    'inbox_entries', 'notice_preferences', 'mails', 'staff_entries', 'imported_records', 'search_terms', 'claims',
    'organization_contacts', 'organization_exports', 'audit_exports', 'api_keys', 'collaborators', 'organization_roles', 'sso_connections',
    'test_clocks', 'jobs'];
  fiscal constant text[] := array['filed_documents', 'tax_invoice_documents', 'tax_invoices', 'credit_balance_entries',
    'credit_notes', 'refunds', 'disputes', 'credit_balances', 'payments', 'payment_references', 'affiliate_entries', 'commissions',
    'affiliate_payouts', 'affiliates', 'contract_history', 'contracts', 'invoices', 'entitlements', 'orders'];
begin
  select e.organization_id, e.status into owner, phase from organization_erasures e
    join organizations o on o.organization_id = e.organization_id and o.id = e.organization_id
   where e.id = erasure and o.erased_at is not null
     and (e.status in ('running', 'ending') and table_name = any(working) or e.status = 'ending' and table_name = any(fiscal));
  if owner is null then
    raise exception 'nothing of % is to be removed by erasure %', table_name, erasure;
  end if;
  if table_name = 'maintenance_windows' then
    update environments set maintenance_window_id = null where organization_id = owner and maintenance_window_id is not null;
  end if;
  if table_name = 'jobs' then
    -- Those that remove bytes are left, since no row names the bytes any more, and those that archive fiscal documents.
    return query with gone as (delete from jobs where ctid = any(array(select ctid from jobs where organization_id = owner
        and kind <> 'files/remove' and (phase = 'ending' or not starts_with(kind, 'filed-documents/')) limit most)) returning 1)
      select null::text from gone;
    return;
  end if;
  if table_name = 'orders' then
    -- Each names the other, so they go in one statement.
    return query with quoted as (delete from quotes where organization_id = owner)
      delete from orders where organization_id = owner returning null::text;
    return;
  end if;
  return query execute format(
    'with gone as (delete from %I where organization_id = $1 and ctid = any(array(select ctid from %I where organization_id = $1 limit $2)) returning *)
     select to_jsonb(gone) ->> ''storage_key'' from gone', table_name, table_name) using owner, most;
end $$;
