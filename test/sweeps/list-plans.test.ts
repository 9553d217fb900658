// The first page of every list is read from an index, by the plan for any values; test/deep/list-plans.test.ts has the rest.
import { explainLists } from './list-plans.ts'

explainLists({ modes: ['force_generic_plan'], inPairs: false })
