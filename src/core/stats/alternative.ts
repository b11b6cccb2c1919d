/** Against which alternative a test is made: that the first sample tends to be less, greater, or either. */
export type Alternative = 'two-sided' | 'less' | 'greater';
