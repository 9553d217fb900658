-- The ids that other systems give our records, and what else they keep with them (docs/decisions/0089).

alter table quotes add column external_id text, add column metadata jsonb not null default '{}';
alter table orders add column external_id text, add column metadata jsonb not null default '{}';
alter table invoices add column external_id text, add column metadata jsonb not null default '{}';
alter table credit_notes add column external_id text, add column metadata jsonb not null default '{}';
alter table payments add column external_id text, add column metadata jsonb not null default '{}';
alter table refunds add column external_id text, add column metadata jsonb not null default '{}';
alter table tax_invoices add column external_id text, add column metadata jsonb not null default '{}';
alter table licenses add column external_id text, add column metadata jsonb not null default '{}';
alter table contracts add column external_id text, add column metadata jsonb not null default '{}';
alter table tickets add column external_id text, add column metadata jsonb not null default '{}';
alter table documents add column external_id text, add column metadata jsonb not null default '{}';
alter table affiliates add column external_id text, add column metadata jsonb not null default '{}';
alter table organizations add column external_id text, add column metadata jsonb not null default '{}';
alter table products add column external_id text, add column metadata jsonb not null default '{}';
alter table prices add column external_id text, add column metadata jsonb not null default '{}';
-- These have a metadata of their own, a JSON text.
alter table entitlements add column external_id text;
alter table environments add column external_id text;
alter table services add column external_id text;

-- The id first: staff look it up across organizations as well.
create unique index quotes_external_id on quotes (external_id, organization_id) where external_id is not null;
create unique index orders_external_id on orders (external_id, organization_id) where external_id is not null;
create unique index invoices_external_id on invoices (external_id, organization_id) where external_id is not null;
create unique index credit_notes_external_id on credit_notes (external_id, organization_id) where external_id is not null;
create unique index payments_external_id on payments (external_id, organization_id) where external_id is not null;
create unique index refunds_external_id on refunds (external_id, organization_id) where external_id is not null;
create unique index tax_invoices_external_id on tax_invoices (external_id, organization_id) where external_id is not null;
create unique index licenses_external_id on licenses (external_id, organization_id) where external_id is not null;
create unique index contracts_external_id on contracts (external_id, organization_id) where external_id is not null;
create unique index tickets_external_id on tickets (external_id, organization_id) where external_id is not null;
create unique index documents_external_id on documents (external_id, organization_id)
  where external_id is not null and deleted_at is null;
create unique index affiliates_external_id on affiliates (external_id, organization_id) where external_id is not null;
create unique index entitlements_external_id on entitlements (external_id, organization_id) where external_id is not null;
create unique index environments_external_id on environments (external_id, organization_id) where external_id is not null;
create unique index services_external_id on services (external_id, organization_id) where external_id is not null;
-- Those of the vendor's own catalogue, and of its customers, belong to no organization.
create unique index products_external_id on products (external_id) where external_id is not null;
create unique index prices_external_id on prices (external_id) where external_id is not null;
create index organizations_external_id on organizations (external_id) where external_id is not null;

-- Of a payment and a credit note nothing else ever changes.
grant update (external_id, metadata, updated_at) on payments, credit_notes to titular_app;

alter table claims
  drop constraint claims_kind_check,
  add constraint claims_kind_check check (kind in ('cnpj', 'payment_customer_id_br', 'payment_customer_id_global',
    'crm_company_id_br', 'crm_company_id_global', 'license_key', 'external_id'));
