-- The lines of old imports are removed (docs/decisions/0098).
grant delete on import_rows to titular_system;
