"""The Deployment controller; `controller` tells the story, the other modules are its arithmetic."""

from scheduler_core.controllers.deployment.controller import DeploymentController

__all__ = ["DeploymentController"]
