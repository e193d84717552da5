/** The Agents that the hosts of a Machine's InfraEnv register as. */
@NullMarked
package io.capoa.bootstrap.agent;

import org.jspecify.annotations.NullMarked;
