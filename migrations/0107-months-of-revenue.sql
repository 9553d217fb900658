-- What reports of recognized and of recurring revenue read of the invoices of all organizations (docs/decisions/0107).

-- The days in which a paid invoice earns: from the payment to the end of its period, or of the longest term from the payment on.
-- By UTC, so two days more at the end and one at the beginning are enough for all time zones.
create function earning_days(line_items jsonb, paid_at timestamptz, period_end timestamptz) returns daterange
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select daterange((paid_at at time zone 'UTC')::date - 1, greatest(
    (period_end at time zone 'UTC')::date,
    ((paid_at at time zone 'UTC')::date + make_interval(months => coalesce(max((n.term #>> '{}')::int), 0)))::date) + 2)
    from jsonb_path_query(line_items, '$[*].term_months ? (@ != null)') as n (term)
$$;
create index invoices_everywhere_earning on invoices using gist (earning_days(line_items, paid_at, period_end))
  where status = 'paid' and paid_at is not null;

create index invoices_everywhere_periods on invoices using gist (tstzrange(period_start, period_end))
  where period_start is not null and order_id is not null and status in ('open', 'paid') and payment_status <> 'refunded';
-- Whether a customer paid for a period before.
create index invoices_periods on invoices (organization_id, company, currency, period_start)
  where period_start is not null and order_id is not null and status in ('open', 'paid') and payment_status <> 'refunded';

-- The planner chooses an index on an expression by the statistics of the expression.
analyze invoices;
