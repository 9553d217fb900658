-- Every list reads its first page from an index, whatever it is filtered by (docs/decisions/0050).

-- Lists of one organization.
create index environments_platform on environments (organization_id, platform, id);
create index environments_type on environments (organization_id, environment_type, id);
drop index environments_staging;
create index services_lifecycle on services (organization_id, lifecycle, id);
create index sites_status on sites (organization_id, status, id);
create index sites_verified on sites (organization_id, (verification_status = 'verified'), id);
create index affiliates_status on affiliates (organization_id, status, id);
create index commissions_affiliate on commissions (organization_id, affiliate_id, id);
create index affiliate_entries_date on affiliate_entries (organization_id, affiliate_id, date, id);
create index invoices_issued on invoices (organization_id, issue_date, id);
create index credit_notes_issued on credit_notes (organization_id, issue_date, id);
create index tax_invoices_issued on tax_invoices (organization_id, issued_at, id);
create index webhook_deliveries_state on webhook_deliveries (endpoint_id, state, id);
create index audit_log_kind on audit_log (organization_id, resource, id);

-- With the column by which a policy hides drafts, so that counting reads the index only.
drop index quotes_status, invoices_status, contracts_status;
create index quotes_status on quotes (organization_id, status, id) include (sent_at);
create index invoices_status on invoices (organization_id, status, id) include (finalized_at);
create index contracts_status on contracts (organization_id, status, id) include (activated_at);

-- Administrators' lists, over all organizations.
create index orders_everywhere on orders (id);
create index orders_everywhere_status on orders (status, id);
create index orders_everywhere_company on orders (company, id);
create index orders_everywhere_created on orders (created_at, id);
create index invoices_everywhere on invoices (id);
create index invoices_everywhere_status on invoices (status, id);
create index invoices_everywhere_company on invoices (company, id);
create index invoices_everywhere_issued on invoices (issue_date, id);
create index tickets_everywhere on tickets (id);
create index tickets_everywhere_status on tickets (status, id);
create index tickets_everywhere_priority on tickets (priority, id);
create index tickets_everywhere_entitlement on tickets (entitlement_id, id);
create index tickets_everywhere_assignee on tickets (assignee_id, id) where assignee_id is not null;
create index audit_log_ids on audit_log (id);
create index affiliate_payouts_everywhere on affiliate_payouts (id);
create index commerce_orders_everywhere on commerce_orders (id);
create index commerce_orders_company on commerce_orders (company, id);
create index crm_deals_everywhere on crm_deals (id);
create index crm_deals_company on crm_deals (company, id);
create index crm_deals_differing on crm_deals (id) where stage <> crm_stage;
create index crm_proposals_everywhere on crm_proposals (id);
create index crm_proposals_status on crm_proposals (status, id);
create index crm_proposals_company on crm_proposals (company, id);
create index organizations_status on organizations (status, id);
create index organizations_type on organizations (type, id);
create index organizations_verification on organizations (verification_status, id);
create index organizations_deleted on organizations (id) where deleted_at is not null;
create index users_status on users (status, id);
create index users_disabled on users (id) where disabled_at is not null;

-- A scalar subquery is asked for each row that is read. For `exists`, PostgreSQL may first collect all documents of the
-- organization that the caller may read, for a page of twenty rows.
alter policy documents_have_readers on document_versions using (
  (select true from documents d where d.organization_id = document_versions.organization_id and d.id = document_versions.document_id));
alter policy documents_have_readers on document_shares using (
  (select true from documents d where d.organization_id = document_shares.organization_id and d.id = document_shares.document_id)
  or (select true from filed_documents f where f.organization_id = document_shares.organization_id and f.id = document_shares.document_id));
alter policy documents_have_readers on document_accesses using (
  (select true from documents d where d.organization_id = document_accesses.organization_id and d.id = document_accesses.document_id)
  or (select true from filed_documents f where f.organization_id = document_accesses.organization_id and f.id = document_accesses.document_id));
alter policy documents_have_readers on audit_log using (
  current_setting('app.staff', true) = 'on' or case resource
    when 'document' then (select true from documents d
      where d.organization_id = audit_log.organization_id and d.id = audit_log.resource_id)
    when 'document_version' then (select true from documents d
      where d.organization_id = audit_log.organization_id
        and d.id = (coalesce(audit_log.after, audit_log.before) ->> 'document_id')::bigint)
    when 'document_share' then (select true from document_shares s
      where s.organization_id = audit_log.organization_id and s.id = audit_log.resource_id)
    else true end);
alter policy documents_have_readers on events using (
  current_setting('app.staff', true) = 'on' or case
    when resource = 'document' then data ->> 'visibility' = 'organization'
      or data ->> 'visibility' = 'readers' and (current_setting('app.role', true) = 'owner'
        or data ->> 'uploaded_by' = current_setting('app.user_id', true)
        or data -> 'reader_ids' @> nullif(current_setting('app.user_id', true), '')::jsonb)
    when resource in ('document_version', 'document_share') then
      (select true from documents d where d.organization_id = events.organization_id and d.id = (events.data ->> 'document_id')::bigint)
      or (select true from filed_documents f where f.organization_id = events.organization_id and f.id = (events.data ->> 'document_id')::bigint)
    else true end);
