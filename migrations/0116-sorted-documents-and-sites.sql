-- What the lists of documents and sites are sorted by and asked for as ranges (docs/decisions/0080). Lists of affiliate accounts
-- and credit balances are short, and their rows change with each payment.

create index documents_created on documents (organization_id, created_at, id);
create index documents_updated on documents (organization_id, updated_at, id);

create index filed_documents_created on filed_documents (organization_id, created_at, id);
create index filed_documents_updated on filed_documents (organization_id, updated_at, id);

create index sites_created on sites (organization_id, created_at, id);
create index sites_updated on sites (organization_id, updated_at, id);
