// No input causes a 5xx: each field of each route gets a hostile value; test/deep/hostile-input.test.ts has all of them.
import { sendHostileInput } from './hostile-input.ts'

sendHostileInput({ texts: [`'; drop table quotes; --\u202ee\u0301👩‍👩‍👧‍👦<%= 1 %>{{7*7}}\\u0000%00`, null], most: 1 })
