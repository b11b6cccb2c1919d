/** What `plumbfox policy --help` says. */
export const POLICY_HELP = `plumbfox policy: a profile as an enterprise policy of Firefox

  plumbfox policy --profile ID [options]              prints policies.json; where it goes is told on the error output
  plumbfox policy --profile ID --install [options]    writes it into Firefox's own, with every other policy kept (as its owner: mostly root)
  plumbfox policy --uninstall                         takes it back: to the byte where nobody has changed it since (as its owner)

  --profile ID       the profile, such as c4-d1; firefox-default sets nothing
  --status STATUS    default: a person's own value wins; locked: the policy wins (default: default)
  --carrier CARRIER  what makes a depth above 1 real: none, or http2 (default: none)
  --merge FILE       puts it into the policies of this file; what is printed has both
  --trial FILE       a trial that the extension begins by itself, as JSON: {"candidates": ["c4-d1", "c8-d1"],
                     "slots": {"kind": "loads", "perSlot": 3}, "mostLoadsPerArm": 500}; all but the candidates may be left out
  --extension [XPI]  for Firefox ESR: installs the lab build from this file, so that profiles are switched while Firefox runs.
                     It is unsigned: signature checks go off and Experiments on, for every user (default: the one that was built)
  --yes-unsigned     of --install with --extension: also where somebody uses Firefox already
  --install          merges into the file Firefox reads, keeps what was there, and copies the package beside it
  --uninstall        takes our part out of it again
  --file FILE        of --install and --uninstall: this policies.json instead of the one found
  --json             of --install and --uninstall: prints what was done as one JSON document

--install takes a package only where nobody but root can exchange it: no symbolic link, and neither the file nor a folder on
its way up to / is somebody else's or can be written to by a group or by everybody.

exit codes: 0 done, 1 internal error, 2 bad arguments, a package or file that is refused, or --yes-unsigned is missing,
3 only root or another user may change the file, or the disk is in the way
`;
