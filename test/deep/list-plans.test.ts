// The first page of every list is read from an index, with each filter and each two of them, by either plan.
import { explainLists } from '#test/sweeps/list-plans.ts'

explainLists({ modes: ['force_custom_plan', 'force_generic_plan'], inPairs: true })
