-- A value that holds no word, such as `***` or a lone accent, begins nowhere and is found by nothing. It gave a term that is
-- null instead of none, and the index of the search refused the record: the tickets, and what had been paid for, of such names.

create or replace function search_terms_of(value text) returns setof text language sql immutable strict parallel safe as $$
  select distinct left(array_to_string(w.words[n:], ' '), 64)
    from (select string_to_array(btrim(regexp_replace(fold(left(value, 500)),
            '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g')), ' ') as words) w,
         generate_series(1, least(20, cardinality(w.words))) n
$$;

-- What it stopped goes on by itself.
update jobs set parked_at = null, attempts = 0, run_at = now()
 where last_error like '%null value in column "term" of relation "search_terms"%';
