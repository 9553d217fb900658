// How many files of exports are kept: each kind of export removes its older ones when it has written a new one.

/** Of one kind, and of one organization or person. */
export const NEWEST_EXPORTS = 3
