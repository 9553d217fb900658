-- Which kinds of notices a contact without an account has switched off by the link in a mail (docs/decisions/0125).
create table muted_addresses (
  organization_id bigint not null references organizations (id),
  email text not null check (email = lower(email)),
  kind text not null,
  created_at timestamptz not null,
  primary key (organization_id, email, kind)
);
call wall('muted_addresses');
-- The link of a mail is followed without a session, outside of any organization; requests in one only read it.
revoke insert, update on muted_addresses from titular_app;
revoke update on muted_addresses from titular_system;
grant delete on muted_addresses to titular_system;

-- As before, with the table above.
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
    'organization_contacts', 'muted_addresses', 'organization_exports', 'audit_exports', 'api_keys', 'collaborators', 'organization_roles', 'sso_connections',
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
