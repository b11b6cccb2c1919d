/** Installs Debian packages so that no service of theirs runs, now or at the next start of the machine: only their programs are wanted. */

/** Packages that bring a service of the same name, which Debian starts and enables when they are installed. */
const SERVICES: readonly string[] = ['nginx', 'haproxy', 'caddy'];

/** Asked before any service is started by a package (invoke-rc.d(8), deb-systemd-invoke(1p)): 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * A policy of the machine's own stays as it is. Ours forbids only while this very shell runs, so that it does no harm where the
 * shell is killed before it can remove it. What was started or enabled all the same is stopped and disabled afterwards: these
 * packages were not there before, so nobody relies on them. Where another installation is under way, as often soon after a machine has started,
 * apt waits for its end, two minutes at most (apt.conf(5); apt 1.9.11 and later).
 */
const SCRIPT = `policy=$1 services=$2
shift 2
if [ -n "$services" ] && [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\n# Plumbfox is installing packages: their services shall not start.\\n[ -d /proc/%s ] && exit 101\\nexit 0\\n' "$$" > "$policy"
  chmod 755 "$policy"
fi
apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends "$@"
code=$?
for service in $services; do
  if command -v systemctl; then
    systemctl disable "$service"
    systemctl stop "$service"
  else
    update-rc.d "$service" disable
    service "$service" stop
  fi
done > /dev/null 2>&1
exit $code`;

/** The command, for whoever may install. @param policy - Only for tests. */
export function quietInstall(packages: readonly string[], policy: string = POLICY): readonly string[] {
  const services = packages.filter((name) => SERVICES.includes(name));
  return ['sh', '-c', SCRIPT, 'sh', policy, services.join(' '), ...packages];
}
