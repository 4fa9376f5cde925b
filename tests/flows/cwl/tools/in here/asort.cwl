a sort
