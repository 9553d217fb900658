-- Codes of entitlements that come from elsewhere, and what the lines of an import take (docs/decisions/0115).

-- Numbers up to `last` that nobody has: a code from elsewhere was beyond them.
alter table code_counters add column passed_over int8multirange not null default '{}';

-- Digests of what no second line of the file may take, for lines that became a record or would become one.
alter table import_rows add column keys text[];
-- Without a list of pending entries, which each lookup would read.
create index import_rows_keys on import_rows using gin (keys) with (fastupdate = off) where keys is not null;
