"""Settings of all tests: how fast the machine is decides nothing, and the same tests try the same examples.

`--hypothesis-profile=searching` tries others each time.
"""

from hypothesis import HealthCheck, settings

settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", settings.get_profile("searching"), derandomize=True)
settings.load_profile("steady")
