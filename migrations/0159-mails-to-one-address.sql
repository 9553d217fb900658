-- How often an address was mailed something of these kinds since a moment, over all organizations: a number, and nothing of the
-- mails. Who asks holds the address until the end of the transaction, so that two at once are counted one after the other.
create function mails_to_address(address text, kinds text[], since timestamptz) returns bigint
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('mails to ' || lower(address), 0));
  return (select count(*) from mails where email = lower(address) and kind = any(kinds) and created_at > since);
end $$;
revoke all on function mails_to_address(text, text[], timestamptz) from public;
grant execute on function mails_to_address(text, text[], timestamptz) to titular_app, titular_system;
