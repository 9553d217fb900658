-- What staff's lists across organizations are sorted and filtered by, and their search (docs/decisions/0087).

create index quotes_everywhere on quotes (id);
create index quotes_everywhere_status on quotes (status, id);
create index quotes_everywhere_company on quotes (company, id);
create index quotes_everywhere_created on quotes (created_at, id);
create index quotes_everywhere_updated on quotes (updated_at, id);
create index quotes_everywhere_valid_until on quotes (valid_until, id);

create index orders_everywhere_updated on orders (updated_at, id);

create index invoices_everywhere_created on invoices (created_at, id);
create index invoices_everywhere_updated on invoices (updated_at, id);
create index invoices_everywhere_due on invoices (due_date, id);

create index tax_invoices_everywhere on tax_invoices (id);
create index tax_invoices_everywhere_status on tax_invoices (status, id);
create index tax_invoices_everywhere_created on tax_invoices (created_at, id);
create index tax_invoices_everywhere_updated on tax_invoices (updated_at, id);
create index tax_invoices_everywhere_issued on tax_invoices (issued_at, id);

create index refunds_everywhere on refunds (id);
create index refunds_everywhere_status on refunds (status, id);
create index refunds_everywhere_order on refunds (order_id, id) where order_id is not null;
create index refunds_everywhere_created on refunds (created_at, id);
create index refunds_everywhere_updated on refunds (updated_at, id);

create index entitlements_everywhere on entitlements (id);
create index entitlements_everywhere_class on entitlements (class, id);
create index entitlements_everywhere_status on entitlements (status, id);
create index entitlements_everywhere_company on entitlements (company, id);
create index entitlements_everywhere_created on entitlements (created_at, id);
create index entitlements_everywhere_updated on entitlements (updated_at, id);
create index entitlements_everywhere_expiry on entitlements (expires_at, id) where expires_at is not null;

create index licenses_everywhere on licenses (id);
create index licenses_everywhere_status on licenses (status, id);
create index licenses_everywhere_created on licenses (created_at, id);
create index licenses_everywhere_updated on licenses (updated_at, id);
create index licenses_everywhere_expiry on licenses (expires_at, id) where expires_at is not null;

create index environments_everywhere on environments (id);
create index environments_everywhere_status on environments (status, id);
create index environments_everywhere_platform on environments (platform, id);
create index environments_everywhere_type on environments (environment_type, id);
create index environments_everywhere_entitlement on environments (entitlement_id, id);
create index environments_everywhere_created on environments (created_at, id);
create index environments_everywhere_updated on environments (updated_at, id);

create index tickets_everywhere_created on tickets (created_at, id);
create index tickets_everywhere_updated on tickets (updated_at, id);

create index contracts_everywhere on contracts (id);
create index contracts_everywhere_status on contracts (status, id);
create index contracts_everywhere_company on contracts (company, id);
create index contracts_everywhere_created on contracts (created_at, id);
create index contracts_everywhere_updated on contracts (updated_at, id);
create index contracts_everywhere_end on contracts (end_date, id) where end_date is not null;

create index organizations_created on organizations (created_at, id);
create index organizations_updated on organizations (updated_at, id);
create index users_registered on users (registered, id);
create index users_updated on users (updated_at, id);

create index quote_requests_everywhere_created on quote_requests (created_at, id);
create index quote_requests_everywhere_updated on quote_requests (updated_at, id);
create index affiliate_payouts_everywhere_created on affiliate_payouts (created_at, id);
create index affiliate_payouts_everywhere_updated on affiliate_payouts (updated_at, id);
create index commerce_orders_everywhere_created on commerce_orders (created_at, id);
create index commerce_orders_everywhere_synced on commerce_orders (synced_at, id);
create index crm_proposals_everywhere_created on crm_proposals (created_at, id);
create index crm_proposals_everywhere_updated on crm_proposals (updated_at, id);
create index crm_deals_everywhere_synced on crm_deals (synced_at, id);
create index imports_created on imports (created_at, id);
create index imports_updated on imports (updated_at, id);

create index search_terms_everywhere on search_terms (resource, term, resource_id) include (organization_id, field);

-- What the search of staff finds by its beginning; codes, names and domains are search terms.
create index licenses_key_beginning on licenses (license_key collate "C");
create index users_email_beginning on users (lower(email) collate "C");
create index users_login_beginning on users (login collate "C");
create index users_name_beginning on users (fold(name) collate "C");

-- Organizations have terms from now on.
insert into search_terms (organization_id, resource, resource_id, field, term)
select o.id, 'organization', o.id, f.field, t.term
  from organizations o
       cross join lateral (values ('name', o.name), ('legal_name', o.legal_name), ('cnpj', o.cnpj), ('email', o.email)) f(field, value)
       cross join lateral search_terms_of(f.value) t(term)
    on conflict do nothing;
