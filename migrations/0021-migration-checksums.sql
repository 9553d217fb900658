-- What each migration's file was when it ran (SHA-256): a file that was changed afterwards stops the next start.
alter table schema_migrations add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');
